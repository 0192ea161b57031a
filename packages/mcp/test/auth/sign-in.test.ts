import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { ask, browsing } from './ask.ts'
import { hostileServer } from './hostile-server.ts'

test('signIn: a server without defects lets the user in, and remembers', async () => {
  await using server = await hostileServer()
  const authorizer = browsing()
  assert.deepEqual(await (await ask(server.url, authorizer)).json(), { isIn: true })
  assert.deepEqual(await (await ask(server.url, authorizer)).json(), { isIn: true })
  assert.deepEqual([server.count('/authorize'), server.count('/token'), server.count('/register')], [1, 1, 1])
})
