import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type ApiClient, apiClient } from '../../src/api/client.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { type Person, person } from '../run/person.ts'

const key = 'sk-live-abcdefghijklmnop1234'

describe('settings from a page', () => {
  let ann: Person
  let running: RunningHost
  let page: ApiClient
  const codes: { readonly code: string; readonly client?: string }[] = []
  const text = () => readFileSync(ann.places.userFile, 'utf8')
  before(async () => {
    ann = person()
    ann.configure(`{
  "mcpServers": {},
  // a week is enough
  "ledger": { "keepDays": 7 /* days */, "maxMb": 64 },
  "models": { "own": { "provider": "openai", "headers": { "X-Api-Key": "${key}" } } }
}`)
    running = await ann.run({
      onAcceptCode: (made) => codes.push(made),
      launcher: ['trunkline'],
    })
    const { url } = JSON.parse(readFileSync(running.runningFile, 'utf8')) as { url: string }
    page = apiClient({ url, token: (await running.api.pages.trade(running.api.pages.makeCode().code)) ?? '' })
  })
  after(async () => {
    await running[Symbol.asyncDispose]()
    ann[Symbol.dispose]()
  })
  const change = async (section: string, value: unknown) => {
    const plan = await page.call('planSettings', { section, value })
    await page.call('changeSettings', { section, value, digest: plan.digest })
    return plan
  }

  it('are all those of the schema but servers and policy, with what counts and from where, and no secret', async () => {
    const answer = await page.call('settings')
    const { file, sections } = answer
    assert.equal(file, ann.places.userFile)
    const keys = sections.map((section) => section.key)
    for (const wanted of ['models', 'model', 'ledger', 'host', 'notify', 'profiles']) assert.ok(keys.includes(wanted))
    for (const other of ['mcpServers', 'policy', '$schema']) assert.ok(!keys.includes(other))
    assert.ok(!JSON.stringify(answer).includes(key))
    const counting = sections.flatMap(({ settings }) => settings)
    const of = (name: string) => counting.find((one) => one.key === name)
    assert.deepEqual([of('ledger.keepDays')?.value, of('ledger.keepDays')?.isOwn], [7, true])
    assert.deepEqual([of('ledger.chainDays')?.value, of('ledger.chainDays')?.source], [365, undefined])
    assert.deepEqual([of('host.port')?.source, of('host.port')?.isOwn], ['the command line', false])
  })

  it('are written key by key, exactly as they were shown, and refused where the schema refuses them', async () => {
    const { after: shown } = await change('ledger', { keepDays: 3, maxMb: 64 })
    assert.match(shown, /"keepDays": 3 \/\* days \*\//)
    assert.match(text(), /\/\/ a week is enough\n {2}"ledger": \{ "keepDays": 3 \/\* days \*\/, "maxMb": 64 \}/)
    assert.equal((await running.config.effective()).settings.ledger?.keepDays, 3)
    await assert.rejects(change('ledger', { keepDays: -1 }), /write a whole number from 0/)
    await assert.rejects(change('policy', { mode: 'observe' }), { status: 404 })
    await assert.rejects(change('mcpServers', {}), { status: 404 })
    const plan = await page.call('planSettings', { section: 'ledger', value: {} })
    const other = { section: 'notify', value: { desktop: false }, digest: plan.digest }
    await assert.rejects(page.call('changeSettings', other), { status: 409 })
  })

  it('keep a key of a model out of the file, and leave one alone that is shown as stars', async () => {
    const { sections } = await page.call('settings')
    const own = sections.find((section) => section.key === 'models')?.own as { own: object }
    const { secrets } = await change('models', { own: { ...own.own, key: 'a-plain-key-that-was-typed' } })
    assert.deepEqual(secrets, ['model.own.key'])
    assert.match(text(), /"key": "secret:model\.own\.key"/)
    assert.match(text(), new RegExp(key))
    assert.equal(await running.secrets.get('model.own.key'), 'a-plain-key-that-was-typed')
    assert.deepEqual((await page.call('secrets')).items, [{ name: 'model.own.key', isKept: true, uses: ['model own'] }])
  })

  it('give a program a token only with a code from the terminal, and revoke it', async () => {
    await assert.rejects(page.call('addClient', { name: 'agent' }), /for the command/)
    await assert.rejects(page.call('createClient', { name: 'agent', code: '123456' }), /not the code/)
    await page.call('makeClientCode', { name: 'agent' })
    const { code = '', client } = codes.at(-1) ?? {}
    assert.equal(client, 'agent')
    await assert.rejects(page.call('createClient', { name: 'another', code }), /not the code/)
    const { token } = await page.call('createClient', { name: 'agent', code })
    assert.ok(token.length > 20)
    const names = async () => (await page.call('clients')).items.map(({ name }) => name)
    assert.ok((await names()).includes('agent'))
    await page.call('revoke', { name: 'agent' })
    assert.ok(!(await names()).includes('agent'))
  })

  it('name the root of each project that a caller works in', async () => {
    await running.host.projects.open(ann.project)
    const { items } = await page.call('projects')
    const found = items.find(({ directory }) => directory.endsWith('shop'))
    assert.match(found?.roots[0] ?? '', /^file:.*\/shop$/)
    assert.equal(found?.isSet, false)
    const relative = page.call('planSettings', { section: 'projects', value: { '/shop': { roots: ['shared'] } } })
    await assert.rejects(relative, /roots.* is no whole path of a folder/)
    assert.match(found?.file ?? '', /shop/)
  })

  it('a key of a pasted or typed server goes to the secrets, and connecting a client shows no key of its file', async () => {
    const pasted = JSON.stringify({ mcpServers: { notes: { command: 'notes', env: { NOTES_API_KEY: key } } } })
    const [read] = (await page.call('readServers', { text: pasted })).items
    assert.ok(!JSON.stringify(read?.shown).includes(key))
    assert.deepEqual(read?.secrets, ['notes.NOTES_API_KEY'])
    const entry = { command: 'notes', env: { NOTES_API_KEY: key } }
    assert.deepEqual(await page.call('addServer', { name: 'notes', entry }), { secrets: ['notes.NOTES_API_KEY'] })
    assert.match(text(), /"NOTES_API_KEY": "secret:notes\.NOTES_API_KEY"/)
    mkdirSync(join(ann.home, '.cursor'), { recursive: true })
    const theirs = {
      command: 'theirs',
      args: ['--token', 'abcdef-ghijkl'],
      env: { GITHUB_TOKEN: 'plain-words-of-mine' },
    }
    writeFileSync(join(ann.home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { theirs } }, null, 2))
    const plan = await page.call('planConnect', { client: 'cursor' })
    assert.match(plan.before, /"GITHUB_TOKEN": "\*{8}"/)
    assert.doesNotMatch(JSON.stringify(plan), /plain-words-of-mine|abcdef-ghijkl/)
    const { file, digest } = plan
    await page.call('connect', { client: 'cursor', digest })
    assert.match(readFileSync(file, 'utf8'), /plain-words-of-mine/)
  })
})
