import assert from 'node:assert/strict'
import { serve } from '@trunkline/mcp'
import { loadSkill } from './load.ts'
import { shop } from './shop.ts'

await using listening = await serve(shop, { http: 0 })
const asked: string[] = []
const load = () =>
  loadSkill(new URL(listening.url), 'refunds', async ({ frontmatter }) => {
    asked.push(frontmatter.description)
    return true
  })
const { instructions, files, letter } = await load()
await load()
assert.match(instructions, /^From the server "shop":\n\n# Refunds\n/)
assert.deepEqual(files, ['SKILL.md', 'examples/letter.md'])
assert.equal(letter, 'Dear customer, the money is on its way.\n')
assert.equal(asked.length, 1)
console.log(instructions)
await shop.close()
