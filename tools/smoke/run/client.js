import assert from 'node:assert/strict'
import { connect } from '@trunkline/mcp'
import { echo } from './server.js'

for (const entry of process.argv.slice(2)) assert.ok(Object.keys(await import(entry)).length > 0, `${entry} is empty`)

for (const target of [echo, { command: process.execPath, args: ['server.js', '--stdio'] }]) {
  const mcp = await connect(target)
  try {
    const result = await mcp.tools.call('echo', { text: 'hi' })
    assert.equal(result.content[0].text, 'hi')
  } finally {
    await mcp.close()
  }
}
