import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSystems } from './check-systems.ts'
import { described, sample } from './lib/sample.ts'

const page = (text: string) => ({ path: 'docs/systems.md', text })
const source = 'packages/host/src/a.ts'

for (const text of [
  "if (process.platform === 'linux') {}",
  "if (system.platform !== 'darwin') {}",
  "readFileSync('/proc/self/stat')",
  "spawn('setsid', [])",
]) {
  test(`checkSystems: ${text} needs a row`, () => {
    const files = sample({ [source]: `\n${text}` })
    assert.deepEqual(described(checkSystems(files, page('nothing'))), [
      `${source}:2: Differs by system: give it a branch for each, and name it in docs/systems.md`,
    ])
    assert.deepEqual(checkSystems(files, page('| a | `host/src/a.ts` |')), [])
  })
}

test('checkSystems: comments and tests may name what they like', () => {
  const files = sample({
    [source]: '/** Unlike /proc/self. */\n// process.platform\nexport const a = 1',
    'packages/host/src/a.test.ts': 'process.platform',
  })
  assert.deepEqual(checkSystems(files, page('')), [])
})

test('checkSystems: a row of a source that is the same everywhere is a problem', () => {
  assert.deepEqual(described(checkSystems(sample({ [source]: 'export const a = 1' }), page('\n`host/src/a.ts`'))), [
    'docs/systems.md:2: "packages/host/src/a.ts" does not differ by system',
  ])
})
