import assert from 'node:assert/strict'
import { test } from 'node:test'
import { server } from '../../../index.ts'
import { serve } from '../../../serve.ts'

test('serve: a server that the program closes no longer keeps signals from ending it', async () => {
  const before = process.listenerCount('SIGTERM')
  const http = await serve(server({ name: 'near', version: '1' }), { http: 0 })
  assert.equal(process.listenerCount('SIGTERM'), before + 1)
  await http.close()
  await http.whenClosed
  assert.equal(process.listenerCount('SIGTERM'), before)
})
