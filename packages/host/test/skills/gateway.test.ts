import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec } from '../gateway/running-host.ts'
import { questionAsked, skillHost, skillServer, skillText } from './skill-servers.ts'

const source = { layer: 'user', file: 'trunkline.json', line: 1 }
const rules = [parseRule('allow', '*:@*', source)]
const refunds = { 'refunds/SKILL.md': skillText('refunds', 'From the shop.'), 'refunds/forms/letter.md': 'Dear all' }

describe('skills behind the gateway', () => {
  for (const revision of ['2025-06-18', '2025-11-25', '2026-07-28'] as const) {
    it(`are announced, listed and loaded at the address of their server, at ${revision}`, async () => {
      await using shop = await skillServer('shop', refunds)
      await using running = await skillHost([shop.spec], { rules })
      await using mcp = await running.dial('/server/shop', { revisions: [revision] })
      assert.ok(mcp.skills.offered)
      const [entry = assert.fail(), ...more] = await mcp.skills.list().all()
      assert.deepEqual(more, [])
      assert.equal(entry.uri, 'skill://refunds/SKILL.md')
      assert.deepEqual(await mcp.skills.get(entry.uri), entry)
      const skill = await mcp.skills.load(entry)
      assert.equal(skill.body.trim(), 'From the shop.')
      assert.equal((await skill.read('forms/letter.md')).text, 'Dear all')
      await assert.rejects(mcp.skills.get('skill://unknown/SKILL.md'), { code: -32602 })
    })
  }

  it('are told apart when several servers have the same addresses, each as a whole', async () => {
    await using shop = await skillServer('shop', refunds)
    await using bank = await skillServer('bank', {
      'refunds/SKILL.md': skillText('refunds', 'From the bank.'),
      'refunds/rates.md': 'None',
    })
    await using running = await skillHost([shop.spec, bank.spec], { rules })
    await using mcp = await running.dial()
    const entries = await mcp.skills.list().all()
    assert.deepEqual(
      entries.map(({ uri, _meta }: { uri: string; _meta?: unknown }) => [uri, _meta]),
      [
        ['skill://refunds/SKILL.md', { 'dev.trunkline/server': 'shop' }],
        ['trunkline+bank:skill://refunds/SKILL.md', { 'dev.trunkline/server': 'bank' }],
      ],
    )
    const [ofShop, ofBank] = await Promise.all(entries.map((entry) => mcp.skills.load(entry)))
    assert.equal(ofShop?.body.trim(), 'From the shop.')
    assert.equal(ofBank?.body.trim(), 'From the bank.')
    assert.deepEqual(ofBank?.files, ['SKILL.md', 'rates.md'])
    assert.equal((await ofBank?.read('rates.md'))?.text, 'None')
  })

  it('are not announced where no server has any, and their methods are not there', async () => {
    await using running = await skillHost([programSpec('plain')])
    await using mcp = await running.dial()
    assert.equal(mcp.skills.offered, false)
    await assert.rejects(mcp.request('skills/list', {}), { code: -32601 })
  })

  it('have directories that list accepted files and nothing else', async () => {
    await using shop = await skillServer('shop', refunds)
    await using running = await skillHost([shop.spec, programSpec('plain')], { rules })
    await using mcp = await running.dial()
    const read = async (uri: string) => (await mcp.request('resources/directory/read', { uri })).resources
    assert.deepEqual(await read('skill://refunds'), [
      { uri: 'skill://refunds/SKILL.md', name: 'SKILL.md', size: 72, mimeType: 'text/markdown' },
      { uri: 'skill://refunds/forms', name: 'forms', mimeType: 'inode/directory' },
    ])
    assert.deepEqual(await read('skill://refunds/forms'), [
      { uri: 'skill://refunds/forms/letter.md', name: 'letter.md', size: 8 },
    ])
    await assert.rejects(read('skill://refunds/SKILL.md'), { code: -32602, message: /it is a file/ })
    await assert.rejects(read('skill://refunds/none'), { code: -32602, message: /no such directory/ })
  })

  it('are left out while they are new or changed, until a person accepts them', async () => {
    await using shop = await skillServer('shop', refunds)
    await using running = await skillHost([shop.spec], { rules })
    const { catalogue, inbox } = running.host
    await using mcp = await running.dial('/server/shop')
    const listed = async () => (await mcp.skills.list().all()).map(({ uri }) => uri)
    const standingOf = (name: string) => catalogue.find('shop', 'skill', `skill://${name}/SKILL.md`)?.standing
    const asked = questionAsked(inbox, ({ why }) => why.includes('1 new and 1 changed'))
    shop.write('refunds/forms/letter.md', 'Dear nobody')
    shop.write('returns/SKILL.md', skillText('returns'))
    await asked
    assert.deepEqual([standingOf('refunds'), standingOf('returns')], ['changed', 'new'])
    assert.deepEqual(await listed(), [])
    await catalogue.accept('shop', catalogue.review('shop'))
    assert.deepEqual(await listed(), ['skill://refunds/SKILL.md', 'skill://returns/SKILL.md'])
  })
})
