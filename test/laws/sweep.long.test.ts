import { sweepLaws } from "./SweepSubject.ts"

sweepLaws({ fakes: 200, overFileSystem: 60 })
