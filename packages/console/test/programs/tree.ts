/** A server that starts another program, has instructions in several lines, writes much to stderr, and sends log messages. */
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
  .tool('sway', { description: 'Sways' }, async (_given, context) => {
    await context.log('warning', 'the branch is thin', 'bark')
    await context.log('debug', 'swaying')
    return 'to and fro'
  })

await serve(tree)
