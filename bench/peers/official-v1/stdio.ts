import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createDefinition } from './definition.ts'

await createDefinition().connect(new StdioServerTransport())
