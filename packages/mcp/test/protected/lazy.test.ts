import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** Everything that a program loads. */
async function loaded(program: string): Promise<readonly string[]> {
  const source = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
    ${program}
    console.log(JSON.stringify(urls))
    process.exit()`
  const cwd = new URL('.', import.meta.url)
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], { cwd })
  return JSON.parse(stdout)
}

const isOAuth = (url: string) => /\/(?:jose|oauth4webapi)\/|\/src\/auth[-./]/.test(url)

const serving = (options: string) => `
  const { serve, server, connect } = await import('@trunkline/mcp')
  const { toFetch } = await import('@trunkline/mcp/http')
  const definition = server({ name: 'x', version: '1' }).tool('ring', {}, () => 'ding')
  toFetch(definition)
  const listening = await serve(definition, { http: 0, ${options} })
  await fetch(listening.url, { method: 'POST' })
  await connect(listening.url).catch(() => {})`

test('serve: a program that protects nothing loads nothing of OAuth', async () => {
  const urls = await loaded(serving(''))
  assert.ok(urls.some((url) => url.endsWith('/transports/http/server/endpoint.ts')))
  assert.deepEqual(urls.filter(isOAuth), [])
})

test('serve: a program that protects itself loads it', async () => {
  const urls = await loaded(serving("auth: { issuer: 'http://127.0.0.1:1' }"))
  assert.ok(urls.some((url) => url.endsWith('/src/auth/resource/protect.ts')))
  assert.ok(urls.some((url) => url.includes('/jose/')))
  assert.ok(!urls.some((url) => url.includes('/dev-server/')))
})
