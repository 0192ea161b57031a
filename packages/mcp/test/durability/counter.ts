/** Counts effects in this process, which is none of those that are killed. */
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Effects for each order, step by step. */
export interface Counter extends AsyncDisposable {
  readonly port: number
  count(order: string, key: string): number
}

/** Starts to count: a connection tells of one effect in one line, and is answered. */
export async function counter(): Promise<Counter> {
  const counts = new Map<string, number>()
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    // the process may be killed before it is answered
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    let line = ''
    socket.setEncoding('utf8').on('data', (part: string) => {
      line += part
      if (!line.endsWith('\n')) return
      const { order, key } = JSON.parse(line)
      const name = `${order} ${key}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
      socket.write('counted\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    count: (order, key) => counts.get(`${order} ${key}`) ?? 0,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
