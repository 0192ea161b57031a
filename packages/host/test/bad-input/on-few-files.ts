/** A host in front of one server, as a process of its own that may have few files open: it prints its address. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHost } from '../../src/assembly/start-host.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec } from '../gateway/running-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('SIGTERM', () => process.exit())
const rule = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })
const host = await startHost({ folder, open: true, servers: [programSpec('one')], rules: [rule] })
await host.accept('one')
console.log(host.url)
