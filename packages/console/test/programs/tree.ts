/** A server that starts another program, has instructions in several lines, and writes much to stderr. */
import { spawn } from 'node:child_process'
import { serve, server } from '@trunkline/mcp'

const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'helper-of-tree'], { stdio: 'ignore' })
process.on('exit', () => child.kill())

const tree = server({ name: 'tree', version: '1.0.0', instructions: 'First look.\nThen climb.\n\n  Never fall.' })
  .tool('climb', { description: 'Climbs' }, () => {
    for (let step = 1; step <= 3_000; step += 1) process.stderr.write(`step ${step}\n`)
    return 'up'
  })
  .tool('rest', { description: 'Rests' }, () => 'down')

await serve(tree)
