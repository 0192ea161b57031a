/** One address for servers that come and go. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Passes connections on to whichever server is there; without one they are closed. */
export interface Front extends AsyncDisposable {
  readonly url: `http://${string}`
  /** The server that is there from now on. */
  behind: string | undefined
}

/** Starts to pass connections on. */
export async function front(): Promise<Front> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    if (made.behind === undefined) return near.destroy()
    const { hostname, port } = new URL(made.behind)
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const made: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    behind: undefined,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return made
}
