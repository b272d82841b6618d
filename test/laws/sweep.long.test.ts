import { sweepLaws } from "./SweepSubject.ts"

sweepLaws({ fakes: 1000, overFileSystem: 300 })
