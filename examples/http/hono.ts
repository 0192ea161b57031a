// region hono
import { toFetch } from '@trunkline/mcp/http'
import { Hono } from 'hono'
import { clock } from './clock.ts'

export const app = new Hono()
const handler = toFetch(clock)

app.all('/mcp', (context) => handler(context.req.raw))
// endregion
