import { FastMCP } from 'fastmcp'
import { port } from '../../program/setting.ts'

const definition = new FastMCP({ name: 'fastmcp', version: '1.0.0' })

definition.addResource({ uri: 'cafe://menu', name: 'menu', load: async () => ({ text: 'espresso' }) })
definition.addPrompt({
  name: 'recommend',
  arguments: [{ name: 'mood', required: true }],
  load: async ({ mood }) => `Who is ${mood} drinks what?`,
})

await definition.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1' } })
