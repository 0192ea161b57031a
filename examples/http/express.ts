// region express
import { toNode } from '@trunkline/mcp/node'
import express from 'express'
import { clock } from './clock.ts'

export const app = express()
export const listener = toNode(clock)

app.all('/mcp', listener)
app.use(express.json())
// endregion

// region principal
app.all('/members/mcp', (request, response) => {
  const user = userOf(request.get('authorization'))
  if (user === undefined) response.sendStatus(401)
  else listener.handle(request, response, { principal: user })
})
// endregion

function userOf(authorization: string | undefined): string | undefined {
  return authorization === 'Bearer of Ada' ? 'ada' : undefined
}
