import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { type RunningHost, textOf } from '../gateway/running-host.ts'
import { keeping, outerHost, type TermsWorld, termsWorld } from './terms-world.ts'

const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at + 1} of many`).join('\n')

async function all(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const piece of pieces) chunks.push(piece)
  return Buffer.concat(chunks).toString()
}

describe('large results behind the host', () => {
  let world: TermsWorld
  let outer: RunningHost
  before(async () => {
    world = await termsWorld({ maxResultBytes: () => 64 * 1024 })
    outer = await outerHost(world)
  })
  after(async () => {
    await outer?.[Symbol.asyncDispose]()
    await world?.[Symbol.asyncDispose]()
  })

  for (const path of ['', '/server/kept'])
    it(`every byte is reachable at "/mcp${path}", by ranges, lines and search`, async () => {
      await using mcp = await keeping(world.host, { path })
      const name = path === '' ? 'kept__get_lines' : 'get_lines'
      const result = await mcp.tools.call(name, { lines: 20_000 })
      const spilled = mcp.tools.spilled(result) ?? assert.fail(textOf(result))
      assert.ok(!JSON.stringify(result).includes('contract://'), 'what its server calls it stays inside')
      assert.ok(textOf(result).includes(spilled.uri), 'a model reads where it is')
      assert.equal(spilled.bytes, lines.length)
      assert.equal(await all(spilled), lines)
      assert.equal(await spilled.lines(777, 778), 'line 777 of many\nline 778 of many\n')
      const { matches } = await spilled.search('line 19999 ')
      assert.deepEqual(
        matches.map(({ line }) => line),
        [19_999],
      )
    })

  it('over two hosts as well', async () => {
    await using mcp = await keeping(outer.host)
    const result = await mcp.tools.call('inner__kept__get_lines', { lines: 20_000 })
    assert.equal(await all(mcp.tools.spilled(result) ?? assert.fail(textOf(result))), lines)
  })

  it('a result that the host keeps for a server without the contract is read the same way, over one host and two', async () => {
    const text = 'a line of text\n'.repeat(100_000)
    for (const { host, name } of [
      { host: world.host, name: 'plain' },
      { host: outer.host, name: 'inner__plain' },
    ]) {
      await using mcp = await keeping(host, { name: 'reads-all' })
      const spilled = mcp.tools.spilled(await mcp.tools.call(`${name}__get_lines`, { rows: 100_000 })) ?? assert.fail()
      assert.equal(spilled.bytes, text.length)
      assert.equal(await all(spilled), text)
      assert.equal(await spilled.lines(99_999, 100_500), 'a line of text\n'.repeat(2))
      const { matches, next } = await spilled.search('text', 750)
      assert.deepEqual([matches.length, matches[0]?.line, matches[0]?.byte], [100, 51, 760])
      assert.equal(matches[0]?.text, 'a line of text')
      assert.equal((await spilled.search('text', next)).matches[0]?.line, 151)
      assert.deepEqual((await spilled.search('nothing')).matches, [])
      const report = mcp.tools.spilled(await mcp.tools.call(`${name}__get_report`, { rows: 1_000 })) ?? assert.fail()
      assert.equal(JSON.parse(await all(report)).structuredContent.total, 1_000)
      for (const wrong of ['bytes=9-3', 'lines=0-3', 'bytes=x', 'search=text&after=x', ''])
        await assert.rejects(mcp.resources.read(`${spilled.uri}?${wrong}`), /Cannot read/, wrong)
      await using other = await keeping(host, { name: 'other' })
      await assert.rejects(other.resources.read(`${spilled.uri}?bytes=0-9`), /unknown, or was forgotten/)
    }
  })

  it('an address is read where its server is offered, and through no profile that leaves it out', async () => {
    world.host.setProfiles({ without: { servers: ['plain'] }, with: { servers: ['kept'] } })
    const { token } = await world.host.principals.make({ name: 'chooser' })
    const http = { headers: { authorization: `Bearer ${token}` } }
    const at = (path: string) => connect(new URL(`${world.host.url}${path}`), { extensions: [contract()], http })
    await using all = await at('')
    const { uri } = all.tools.spilled(await all.tools.call('kept__get_lines', { lines: 20_000 })) ?? assert.fail()
    for (const path of ['/profile/with', '/server/kept']) {
      await using mcp = await at(path)
      assert.ok((await mcp.resources.read(`${uri}?lines=1-2`)).contents.length > 0, path)
    }
    for (const path of ['/profile/without', '/server/plain']) {
      await using mcp = await at(path)
      await assert.rejects(mcp.resources.read(uri), /its server is not offered here/, path)
    }
  })

  it('an address is for the caller whose call it answers, and a changed one is nothing', async () => {
    await using ann = await keeping(world.host, { name: 'ann' })
    await using bob = await keeping(world.host, { name: 'bob' })
    const { uri } = ann.tools.spilled(await ann.tools.call('kept__get_lines', { lines: 20_000 })) ?? assert.fail()
    await assert.rejects(bob.resources.read(uri), /unknown, or was forgotten/)
    await assert.rejects(ann.resources.read(`${uri}x`), /unknown, or was forgotten/)
    await assert.rejects(ann.resources.read(`${uri}?lines=9-3`), /must be a range such as/)
  })
})
