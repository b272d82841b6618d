export { migrate } from "./Migrations.ts"
