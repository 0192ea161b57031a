import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const here = (name: string): string => join(import.meta.dirname, name)
const said = execFileSync(process.execPath, [here('client.ts'), here('server.ts')], { encoding: 'utf8' })
assert.match(said, /^Connected to greeter, in revision 2026-07-28$/m)
assert.match(said, /^greet: Greets somebody by name$/m)
assert.match(said, /Hello, Ada!/)
execFileSync(process.execPath, ['--test', here('greeter.test.ts')])
