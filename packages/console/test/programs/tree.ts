/** A server that starts another program, and has instructions in several lines. */
import { spawn } from 'node:child_process'
import { serve, server } from '@trunkline/mcp'

const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'helper-of-tree'], { stdio: 'ignore' })
process.on('exit', () => child.kill())

const tree = server({ name: 'tree', version: '1.0.0', instructions: 'First look.\nThen climb.\n\n  Never fall.' })
  .tool('climb', { description: 'Climbs' }, () => 'up')
  .tool('rest', { description: 'Rests' }, () => 'down')

await serve(tree)
