import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memorySecrets, signIn } from '../../src/auth.ts'
import { devServer } from '../../src/auth-dev-server.ts'
import { connect, serve } from '../../src/index.ts'
import { vault } from './vault.ts'

for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']) {
  test(`signIn: our client signs in to our server, is told what it lacks, and gets it, in ${revision}`, async () => {
    await using authorization = await devServer({
      clients: [{ clientId: 'own', redirectUris: ['http://127.0.0.1/callback'] }],
      warn: () => {},
    })
    const { definition, count } = vault()
    await using listening = await serve(definition, { http: 0, auth: { issuer: authorization.issuer } })
    const pages: URL[] = []
    const auth = signIn({
      client: { clientId: 'own' },
      store: memorySecrets(),
      open(page) {
        pages.push(page)
        return fetch(page)
      },
    })
    await using client = await connect(new URL(listening.url), { auth, revisions: [revision] })
    assert.equal(client.revision, revision)
    const { content } = await client.tools.call('whoami', {})
    // the oldest of them has nothing but text
    const [told] = content as readonly { text: string }[]
    const { principal, scopes } = JSON.parse(told?.text ?? '{}')
    assert.deepEqual([principal, scopes], [JSON.stringify([authorization.issuer, 'developer', 'own']), []])
    assert.deepEqual((await client.tools.call('take', {})).content, [{ type: 'text', text: 'gold' }])
    assert.deepEqual((await client.tools.call('take', {})).content, [{ type: 'text', text: 'gold' }])
    assert.deepEqual(
      pages.map(({ searchParams }) => searchParams.get('scope')),
      [null, 'vault:open vault:take'],
    )
    assert.equal(count.served, 3)
  })
}
