import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { addRule } from './add-rule.ts'
import { WrittenRules } from './written-rules.ts'

function opened() {
  const folder = temporaryFolder()
  const file = join(folder.path, 'trunkline.json')
  const rules = new WrittenRules(join(folder.path, 'written.json'))
  const write = async (rule: string) => {
    await rules.add({ effect: 'allow', rule, at: Date.now(), change: await addRule(file, 'allow', rule) })
  }
  return { file, rules, write, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

describe('WrittenRules', () => {
  it('undoes the last rule byte for byte, then the one before', async () => {
    using at = opened()
    const before = '{\n  // mine\n  "policy": { "allow": ["files:read"] }\n}\n'
    writeFileSync(at.file, before)
    await at.write('files:write')
    const between = readFileSync(at.file, 'utf8')
    await at.write('files:move')
    assert.equal((await at.rules.undo())?.rule, 'files:move')
    assert.equal(readFileSync(at.file, 'utf8'), between)
    assert.equal((await at.rules.undo())?.rule, 'files:write')
    assert.equal(readFileSync(at.file, 'utf8'), before)
    assert.equal(await at.rules.undo(), undefined)
  })

  it('finds the rule in a file that was edited since, and leaves the rest', async () => {
    using at = opened()
    await at.write('files:write')
    writeFileSync(at.file, '{"policy":{"allow":["a:b","files:write"],"deny":["c:d"]},"mcpServers":{}}')
    await at.rules.undo()
    assert.deepEqual(JSON.parse(readFileSync(at.file, 'utf8')), {
      policy: { allow: ['a:b'], deny: ['c:d'] },
      mcpServers: {},
    })
  })

  it('removes a file that was not there before', async () => {
    using at = opened()
    await at.write('files:write')
    await at.rules.undo()
    assert.equal(existsSync(at.file), false)
  })

  it('keeps the last twenty', async () => {
    using at = opened()
    for (let count = 0; count < 22; count++) await at.write(`files:tool${count}`)
    const all = await at.rules.all()
    assert.equal(all.length, 20)
    assert.equal(all[0]?.rule, 'files:tool21')
  })
})
