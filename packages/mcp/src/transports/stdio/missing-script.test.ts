import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingScript } from './missing-script.ts'

/** Output of interpreters, and the path that is missing by it. */
const outputs: readonly (readonly [stderr: string, path: string | undefined])[] = [
  [
    "node:internal/modules/cjs/loader:1568\n  throw err;\n  ^\n\nError: Cannot find module '/a b/c.js'\n    at x (y:1:2) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v24.0.0\n",
    '/a b/c.js',
  ],
  ["Error: Cannot find module 'zod'\n{\n  requireStack: [\n    '/a/server.js'\n  ]\n}\n", undefined],
  ["/usr/bin/python3: can't open file '/a/c.py': [Errno 2] No such file or directory\n", '/a/c.py'],
  ['error: Module not found "file:///a/c.ts".\n', 'file:///a/c.ts'],
  ['bash: c.sh: No such file or directory\n', 'c.sh'],
  ['sh: 0: cannot open c.sh: No such file\n', 'c.sh'],
  ['starting\nsh: cleanup: No such file or directory\nError: no database\n', undefined],
  ['Error: connect ECONNREFUSED\n', undefined],
]

test('missingScript: is the path that the interpreter names', () => {
  for (const [stderr, path] of outputs) assert.equal(missingScript(stderr), path, stderr)
})
