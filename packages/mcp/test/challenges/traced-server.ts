/** The innermost server: it answers with the trace that its call belongs to. */
import { serve, server } from '@trunkline/mcp'

await serve(server({ name: 'third', version: '1.0.0' }).tool('ask', {}, (_, ctx) => String(ctx.meta.traceparent)))
