/** Counts effects in this process, which is none of those that are killed. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What was done for each order, step by step. */
export interface Counter extends AsyncDisposable {
  readonly url: string
  count(order: string, key: string): number
}

/** Starts to count. */
export async function counter(): Promise<Counter> {
  const counts = new Map<string, number>()
  const http = createServer(async (request, response) => {
    const { order, key } = JSON.parse(await text(request))
    const name = `${order} ${key}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    response.end('counted')
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    count: (order, key) => counts.get(`${order} ${key}`) ?? 0,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
