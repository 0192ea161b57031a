/** A program that calls tools for its parent process: it is the caller then, and its parent may decide. */
import { type Client, connect } from '@trunkline/mcp'

/** One call, over a connection that is kept for the address and the token. */
export interface WantedCall {
  readonly id: number
  readonly url: string
  readonly token: string
  readonly tool: string
  readonly arguments: { readonly [name: string]: unknown }
}

const clients = new Map<string, Promise<Client>>()

function clientOf({ url, token }: WantedCall): Promise<Client> {
  const key = `${url} ${token}`
  const dialled = clients.get(key) ?? connect(new URL(url), { http: { headers: { authorization: `Bearer ${token}` } } })
  clients.set(key, dialled)
  dialled.catch(() => clients.delete(key))
  return dialled
}

process.on('message', (wanted: WantedCall) => {
  clientOf(wanted)
    .then((client) => client.tools.call(wanted.tool, wanted.arguments))
    .then(
      (result) => process.send?.({ id: wanted.id, result }),
      (error: Error) => process.send?.({ id: wanted.id, error: error.message }),
    )
})
process.on('disconnect', () => process.exit(0))
