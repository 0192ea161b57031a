/** A server that admits no client without a token, and a client that gets one: no person takes part. */
import assert from 'node:assert/strict'
import { connect, serve } from '@trunkline/mcp'
import { memorySecrets, signIn } from '@trunkline/mcp/auth'
import { devServer } from '@trunkline/mcp/auth/dev-server'
import { diary } from './diary.ts'

await using authorization = await devServer({ subject: 'Ann' })

await using listening = await serve(diary, {
  http: 0,
  auth: { issuer: authorization.issuer, scopes: ['diary:read'] },
})

const stranger = await fetch(listening.url, { method: 'POST' })
console.log('without a token:', stranger.status, stranger.headers.get('www-authenticate'))
assert.equal(stranger.status, 401)

const pages: URL[] = []
// where a browser would show a page, this one agrees at once
const open = (page: URL): Promise<unknown> => {
  pages.push(page)
  return fetch(page)
}

await using mcp = await connect<typeof diary>(new URL(listening.url), {
  // without options it opens the browser and keeps what it is given in files that only you can read
  auth: signIn({ open, store: memorySecrets() }),
})
const asked = () => pages.map(({ searchParams }) => searchParams.get('scope'))

assert.deepEqual((await mcp.tools.call('read', {})).structuredContent, { entries: [] })
console.log('signed in for:', asked().at(-1))
assert.deepEqual(asked(), ['diary:read'])

const { content } = await mcp.tools.call('write', { text: 'It rained' })
console.log('and once more for:', asked().at(-1))
assert.deepEqual(asked(), ['diary:read', 'diary:read diary:write'])
assert.deepEqual(content, [{ type: 'text', text: 'Dear Ann, it is written' }])

assert.deepEqual((await mcp.tools.call('read', {})).structuredContent, { entries: ['It rained'] })
console.log('written and read')
