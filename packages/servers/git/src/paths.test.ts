import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathInTree } from './paths.ts'

test('pathInTree: refuses every name that leads into the folder of git on some system', () => {
  const names = [
    '.git',
    '.GIT',
    '.git.',
    '.git ',
    '.g\u200cit',
    'GIT~1',
    'git~2',
    '.git::$INDEX_ALLOCATION',
    'GIT~1. :x',
  ]
  for (const name of names)
    for (const path of [name, `${name}/config`, `sub/${name}/hooks/x`])
      assert.throws(() => pathInTree({ root: '/work' }, path), /it belongs to git itself/, path)
  for (const path of ['.gitignore', 'git', '.github/x', 'git~', 'a.git/x', 'legit~1'])
    assert.equal(pathInTree({ root: '/work' }, path), path)
})
