import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { skills } from '@trunkline/mcp/skills'
import { acceptServer, apiOf } from './host-api.ts'
import { hostHome } from './host-home.ts'

it('trunkline skills lists skills with their servers, reads them under the policy, and shows what changed', async () => {
  await using at = hostHome()
  const folder = join(at.home, 'skills')
  mkdirSync(join(folder, 'refunds'), { recursive: true })
  const text = '---\nname: refunds\ndescription: How refunds are made.\n---\n\nPay it back.\n'
  writeFileSync(join(folder, 'refunds/SKILL.md'), text)
  mkdirSync(join(folder, 'refunds/forms'))
  writeFileSync(join(folder, 'refunds/forms/claim.md'), 'Who, when, how much.\n')
  const shop = server({ name: 'shop', version: '1.0.0', extensions: [skills(folder)] })
  const serving = await serveHttp(shop, { port: 0 })
  try {
    at.configure({ mcpServers: { shop: { url: serving.url } }, policy: { allow: ['shop:@skill'] } })
    await at.up('--background')
    await acceptServer(apiOf(at), 'shop')
    const listed = await at.run('skills')
    assert.match(listed.stdout, /shop +refunds +[0-9a-f]{16} +2 +usable +How refunds are made\./, listed.stderr)
    const read = await at.run('skills', 'read', 'shop', 'refunds')
    assert.match(read.stdout, /Pay it back\./, read.stderr)
    const completed = await at.run('completion', '--line', 'trunkline skills read shop re')
    assert.equal(completed.stdout, 'refunds\tHow refunds are made.\n', completed.stderr)
    const files = await at.run('completion', '--line', 'trunkline skills read shop refunds fo')
    assert.equal(files.stdout, 'forms/claim.md\t21 bytes\n', files.stderr)
    const unknown = await at.run('skills', 'read', 'shop', 'returns')
    assert.match(unknown.stderr, /"shop" has no skill "returns"/)
    assert.match((await at.run('skills', 'diff')).stdout, /No skill differs from what you accepted/)
    writeFileSync(join(folder, 'refunds/SKILL.md'), text.replace('Pay it back.', 'Never pay.'))
    let diff = ''
    while (!diff.includes('changed')) diff = (await at.run('skills', 'diff', 'shop')).stdout
    assert.match(diff, /changed shop:skill:\/\/refunds\/SKILL\.md[\s\S]*\/digest/)
  } finally {
    await serving.close()
    await shop.close()
  }
})
