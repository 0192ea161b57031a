import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { v1Cafe } from '../../servers/v1.ts'

await v1Cafe().connect(new StdioServerTransport())
