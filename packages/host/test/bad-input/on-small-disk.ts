/**
 * A host in a folder, as a process of its own whose files cannot grow, or that may not write there: `on-small-disk.ts FOLDER
 * JOURNAL`. It writes until that is refused, and prints the acknowledged writes and the reason of its end.
 */
import { connect } from '@trunkline/mcp'
import { Host } from '../../src/assembly/host.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, textOf } from '../gateway/running-host.ts'

const [folder = '', journal = ''] = process.argv.splice(2)
const spec = programSpec('journal', 'journal')
if (spec.launch.kind !== 'program') throw new Error('It is a program')
const server = { ...spec, launch: { ...spec.launch, args: [...spec.launch.args, journal] } }
const rule = parseRule('allow', 'journal:write', { layer: 'user', file: 'trunkline.json', line: 1 })

// the user of the tests may write everywhere; the host must not
if (journal === '' && process.getuid?.() === 0) {
  process.setgid?.(65_534)
  process.setuid?.(65_534)
}

const acknowledged: string[] = []

async function untilRefused(): Promise<string> {
  await using host = new Host({ folder, servers: [server], rules: [rule] })
  await host.start()
  await host.accept('journal')
  const { token } = await host.principals.make({ name: 'editor' })
  await using mcp = await connect(new URL(host.url), { http: { headers: { authorization: `Bearer ${token}` } } })
  for (let count = 0; count < 1_000; count += 1) {
    const nonce = `${count}-${'x'.repeat(50_000)}`
    const result = await mcp.tools.call('journal__write', { nonce })
    if (result.isError) return textOf(result)
    acknowledged.push(`${count}`)
  }
  return 'It was never refused'
}

const why = await untilRefused().catch((error: Error) => error.message)
console.log(JSON.stringify({ acknowledged, why }))
