import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type ApiClient, apiClient } from '../../src/api/client.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { type Person, person, programEntry } from '../run/person.ts'

const key = 'sk-live-abcdefghijklmnop1234'
const file = `{
  // what runs
  "mcpServers": {
    // the only one
    "one": ENTRY, // stays
    "other": { "command": "other", "env": { "API_KEY": "${key}" } }
  },
  "policy": { "deny": ["one:crash"] }
}
`

describe('changes to a server from a page', () => {
  let ann: Person
  let running: RunningHost
  let page: ApiClient
  const text = () => readFileSync(ann.places.userFile, 'utf8')
  type Switched = Parameters<typeof change>[1]
  before(async () => {
    ann = person()
    const entry = programEntry() as { readonly env: object }
    ann.configure(file.replace('ENTRY', JSON.stringify({ ...entry, env: { ...entry.env, GREETING: 'hello' } })))
    running = await ann.run()
    await running.host.accept('one')
    const { url } = JSON.parse(readFileSync(running.runningFile, 'utf8')) as { url: string }
    page = apiClient({ url, token: (await running.api.pages.trade(running.api.pages.makeCode().code)) ?? '' })
  })
  after(async () => {
    await running[Symbol.asyncDispose]()
    ann[Symbol.dispose]()
  })

  async function change(server: string, asked: Parameters<typeof planOf>[1]) {
    const plan = await planOf(server, asked)
    await page.call('changeServer', { server, change: asked, digest: plan.digest })
    return plan
  }
  function planOf(server: string, asked: { kind: 'disable' | 'enable' | 'remove' } | { kind: 'rename'; to: string }) {
    return page.call('planServerChange', { server, change: asked })
  }
  const edit = async (server: string, entry: Record<string, unknown>) => {
    const plan = await page.call('planServerChange', { server, change: { kind: 'edit', entry } })
    await page.call('editServer', { server, entry, digest: plan.digest })
    return plan
  }

  it('are shown before they are written, with stars for secrets, and written exactly as they were shown', async () => {
    const before = text()
    const plan = await planOf('one', { kind: 'disable' })
    assert.equal(plan.file, ann.places.userFile)
    assert.ok(!JSON.stringify(plan).includes(key))
    assert.match(plan.after, /"disabled": ?true/)
    assert.equal(text(), before)
    const asked: Switched = { kind: 'remove' }
    await assert.rejects(page.call('changeServer', { server: 'one', change: asked, digest: plan.digest }), {
      status: 409,
    })
    assert.equal(text(), before)
  })

  it('disable and enable a server, and leave no trace in the file', async () => {
    const before = text()
    await change('one', { kind: 'disable' })
    assert.deepEqual(
      (await page.call('servers')).disabled.map(({ name }) => name),
      ['one'],
    )
    await change('one', { kind: 'enable' })
    assert.equal(text(), before)
    assert.equal(running.host.isAccepted('one'), true)
  })

  it('edit its settings in place; what it is started with has to be accepted again, and a masked key stays', async () => {
    const { entry } = await page.call('serverEntry', { server: 'one' })
    await edit('one', { ...entry, maxCalls: 3 })
    assert.equal(running.host.isAccepted('one'), true)
    assert.match(text(), /\/\/ the only one[\s\S]*"maxCalls": ?3[\s\S]*\/\/ stays/)
    // the value of a variable is no part of the accepted command
    const env = { ...(entry.env as object), GREETING: 'goodbye' }
    const { says } = await edit('one', { ...entry, env })
    assert.match(says.join(), /when you have accepted it again/)
    assert.equal(running.host.isAccepted('one'), false)
    const other = await page.call('serverEntry', { server: 'other' })
    assert.ok(!JSON.stringify(other).includes(key))
    await edit('other', { ...other.entry, args: ['--fast'] })
    assert.match(text(), new RegExp(key))
    await assert.rejects(edit('other', { ...other.entry, cwd: '********' }), { status: 400 })
  })

  it('keep a new key out of the file', async () => {
    const { entry } = await page.call('serverEntry', { server: 'other' })
    const { secrets } = await edit('other', { ...entry, env: { API_KEY: 'sk-live-zyxwvutsrqponmlk9876' } })
    assert.deepEqual(secrets, ['other.API_KEY'])
    assert.doesNotMatch(text(), /sk-live/)
    assert.match(text(), /secret:other\.API_KEY/)
    assert.equal(await running.secrets.get('other.API_KEY'), 'sk-live-zyxwvutsrqponmlk9876')
  })

  it('refuse an entry that could not be used, and a name that is taken or illegal', async () => {
    await assert.rejects(edit('one', { command: 'a', url: 'https://example.com' }), /stands beside "command"/)
    await assert.rejects(edit('one', { command: 'a', maxCalls: 0 }), /write a whole number/)
    await assert.rejects(planOf('one', { kind: 'rename', to: 'other' }), /already/)
    await assert.rejects(planOf('one', { kind: 'rename', to: 'One!' }), /it could be "one"/)
    await assert.rejects(planOf('nobody', { kind: 'remove' }), { status: 404 })
  })

  it('rename it where it stands, and say which rules no longer match', async () => {
    await running.host.accept('one')
    const { says } = await change('one', { kind: 'rename', to: 'two' })
    assert.match(says.join(), /"deny one:crash" .* matches nothing any more/)
    assert.match(text(), /\/\/ the only one\n {4}"two":/)
    assert.equal(running.host.isAccepted('two'), false)
  })

  it('remove it, keep its secrets, and name them', async () => {
    const { says } = await change('other', { kind: 'remove' })
    assert.match(says.join(), /other\.API_KEY/)
    assert.doesNotMatch(text(), /"other"/)
    const { items } = await page.call('secrets')
    assert.deepEqual(items, [{ name: 'other.API_KEY', isKept: true, uses: [] }])
    await page.call('removeSecret', { name: 'other.API_KEY' })
    assert.deepEqual((await page.call('secrets')).items, [])
  })

  it('set the secret that a server waits for, and say nowhere what it is', async () => {
    const { entry } = await page.call('serverEntry', { server: 'two' })
    await edit('two', { ...entry, args: [...(entry.args as string[]), '$' + '{secret:door}'] })
    const waiting = () => running.host.specs.find(({ name }) => name === 'two')?.launch.kind === 'unresolved'
    assert.equal(waiting(), true)
    assert.deepEqual((await page.call('secrets')).items, [{ name: 'door', isKept: false, uses: ['two'] }])
    await assert.rejects(page.call('setSecret', { name: 'oauth.two', value: 'x' }), /kept by "trunkline login"/)
    assert.deepEqual(await page.call('setSecret', { name: 'door', value: 'sesame' }), { isReplaced: false })
    assert.equal(waiting(), false)
    assert.ok(!JSON.stringify(await page.call('ledger')).includes('sesame'))
  })
})
