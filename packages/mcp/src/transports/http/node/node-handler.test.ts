import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { toolCall } from '../../../../test/threats/messages.ts'
import { server } from '../../../index.ts'
import { serveHttp, toNode } from '../../../node.ts'

test('nodeListener: closing waits for what has arrived', async () => {
  const listener = toNode(server({ name: 'late', version: '1' }).tool('greet', {}, () => 'just in time'))
  const http = createServer((request, response) => {
    listener(request, response)
    void listener.close().then(() => http.close().closeAllConnections())
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  const answer = await fetch(url, { method: 'POST', ...toolCall('greet') })
  assert.match(await answer.text(), /just in time/)
})

test('listenHttp: closing waits for what has arrived', async () => {
  const listening = await serveHttp(server({ name: 'late', version: '1' }).tool('greet', {}, () => 'just in time'))
  // it has arrived by then, and its turn is not over
  const close = (): void => process.nextTick(() => void listening.close())
  subscribe('http.server.request.start', close)
  const answer = await fetch(listening.url, { method: 'POST', ...toolCall('greet') })
  unsubscribe('http.server.request.start', close)
  assert.match(await answer.text(), /just in time/)
  await listening.whenClosed
})
