import * as Job from "./Job.ts"

process.on("message", (job: Job.Job) => {
  Job.perform(job).then(
    (done) => process.send?.(done),
    (error: unknown) => {
      throw error
    }
  )
})
