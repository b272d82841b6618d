/**
 * A tracer that logs each span as it ends, where no exporter is at hand.
 */
import { Context, Duration, Effect, Layer, Tracer } from "effect"

export const layer: Layer.Layer<never> = Layer.effectContext(
  Effect.map(Effect.context<never>(), (context) =>
    Context.make(
      Tracer.Tracer,
      Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          const end = span.end.bind(span)
          span.end = (endTime, exit) => {
            end(endTime, exit)
            const took = Duration.format(Duration.nanos(endTime - options.startTime))
            const told = { span: options.name, took, exit: exit._tag, ...Object.fromEntries(span.attributes) }
            Effect.runForkWith(context)(Effect.annotateLogs(Effect.logDebug("span"), told))
          }
          return span
        }
      })
    )
  )
)
