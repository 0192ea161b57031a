import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createDefinition } from './definition.ts'

serveStdio(createDefinition)
