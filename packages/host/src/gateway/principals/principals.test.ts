import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { openStore } from '../../store/store.ts'
import { principalTables } from '../../store/tables/principal-tables.ts'
import { Principals, refuseClientName } from './principals.ts'
import { bearerOf, isSameSecret } from './same-secret.ts'

function opened() {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'a.db'), rooms: [principalTables] })
  return {
    store,
    principals: new Principals(store),
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

describe('Principals', () => {
  it('a token is known by its hash, which is all that is kept of it', async () => {
    await using at = opened()
    const { principal, token } = await at.principals.make({ name: 'editor' })
    assert.match(token, /^tl_[\w-]{43}$/)
    assert.deepEqual(at.principals.byToken(token), principal)
    for (const other of ['', 'tl_', token.slice(0, -1), `${token}x`, token.toUpperCase()])
      assert.equal(at.principals.byToken(other), undefined)
    const kept = JSON.stringify(at.store.database.prepare('SELECT * FROM principal').all())
    assert.ok(!kept.includes(token) && !kept.includes(token.slice(3)))
  })

  it('counts answers of a program as those of a person only where that was said', async () => {
    await using at = opened()
    const { token } = await at.principals.make({ name: 'editor' })
    const approver = await at.principals.make({ name: 'chat-window', isApprover: true })
    assert.equal(at.principals.byToken(token)?.isApprover, false)
    assert.equal(at.principals.byToken(approver.token)?.isApprover, true)
    assert.equal((await at.principals.named('fresh')).isApprover, false)
  })

  it('one of the same name replaces the other: its token ends, and it is another principal', async () => {
    await using at = opened()
    const ended: string[] = []
    at.principals.onEnded(() => ended.push('ended'))
    const first = await at.principals.make({ name: 'editor', isApprover: true })
    assert.deepEqual(ended, [])
    const second = await at.principals.make({ name: 'editor' })
    assert.notEqual(first.principal.id, second.principal.id)
    assert.equal(at.principals.byToken(first.token), undefined)
    assert.equal(at.principals.byId(first.principal.id), undefined)
    assert.deepEqual(at.principals.byToken(second.token), second.principal)
    assert.deepEqual(ended, ['ended'])
  })

  it('a revoked one is known by neither token, id nor name, and is listed as revoked', async () => {
    await using at = opened()
    const ended: string[] = []
    const { token, principal } = await at.principals.make({ name: 'editor' })
    const other = await at.principals.make({ name: 'editor-two' })
    const stop = at.principals.onEnded(() => ended.push('ended'))
    assert.equal(await at.principals.revoke('editor'), true)
    assert.deepEqual(ended, ['ended'])
    assert.equal(await at.principals.revoke('editor'), false)
    assert.deepEqual(ended, ['ended'])
    stop()
    assert.equal(at.principals.byToken(token), undefined)
    assert.equal(at.principals.byId(principal.id), undefined)
    assert.deepEqual(at.principals.revoked(), ['editor'])
    assert.deepEqual(
      at.principals.all().map(({ name }) => name),
      ['editor-two'],
    )
    assert.deepEqual(at.principals.byToken(other.token), other.principal)
    assert.notEqual((await at.principals.make({ name: 'editor' })).principal.id, principal.id)
    assert.deepEqual(at.principals.revoked(), [])
  })

  it('a new token of a part of the host keeps its identity, and the earlier token ends', async () => {
    await using at = opened()
    const first = await at.principals.renew('console')
    const { id } = at.principals.byToken(first) ?? assert.fail()
    let isEnded = false
    at.principals.onEnded(() => {
      isEnded = true
    })
    const second = await at.principals.renew('console')
    assert.equal(at.principals.byToken(first), undefined)
    assert.equal(at.principals.byToken(second)?.id, id)
    assert.equal(isEnded, true)
  })

  it('a principal that is named twice at the same time is one', async () => {
    await using at = opened()
    const both = await Promise.all([at.principals.named('editor'), at.principals.named('editor')])
    assert.deepEqual(both[0], both[1])
    assert.equal(at.principals.all().length, 1)
    assert.deepEqual(await at.principals.named('editor'), both[0])
  })

  it('notes when a token was used', async () => {
    await using at = opened()
    const { token } = await at.principals.make({ name: 'editor' })
    assert.equal(at.principals.all()[0]?.usedAt, undefined)
    const before = Date.now()
    at.principals.byToken(token)
    await at.store.batch(() => {})
    assert.ok((at.principals.all()[0]?.usedAt ?? 0) >= before)
  })

  it('notes when a program connected without a token, which is no use of its token', async () => {
    await using at = opened()
    const { id } = await at.principals.named('editor')
    assert.equal(at.principals.all()[0]?.usedAt, undefined)
    const before = Date.now()
    at.principals.noteConnection(id)
    await at.store.batch(() => {})
    assert.ok((at.principals.all()[0]?.usedAt ?? 0) >= before)
    assert.equal(at.principals.isUsedByToken(id), false)
  })

  it('is named by letters, digits and "-", and no client has the name of a part of the host', async () => {
    await using at = opened()
    for (const name of ['', 'Editor', 'a b', 'a/b', '-a', 'a%', 'a_b', 'a'.repeat(41), 'ä', 'a\n'])
      await assert.rejects(at.principals.make({ name }), /use a-z, 0-9 and "-"/, name)
    await at.principals.make({ name: 'a'.repeat(40) })
    for (const name of ['app', 'chat', 'console']) assert.throws(() => refuseClientName(name), /a part of the host/)
    assert.throws(() => refuseClientName('a b'), /use a-z/)
    refuseClientName('claude-code')
  })
})

describe('same-secret', () => {
  it('reads the bearer of a header, and nothing else in it', () => {
    assert.equal(bearerOf('Bearer abc'), 'abc')
    assert.equal(bearerOf('bearer abc'), 'abc')
    for (const header of [undefined, '', 'abc', 'Basic abc', 'Bearer', 'Bearer  ', 'Bearer a b', 'xBearer abc'])
      assert.equal(bearerOf(header), '')
  })

  it('tells equal secrets from others, of any length', () => {
    assert.equal(isSameSecret('abc', 'abc'), true)
    for (const other of ['', 'ab', 'abcd', 'abd', 'ABC']) assert.equal(isSameSecret(other, 'abc'), false)
  })
})
