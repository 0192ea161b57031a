#!/usr/bin/env node
import { serveFromCommandLine } from '@trunkline/mcp'
import { greeter } from './greeter.ts'

await serveFromCommandLine(greeter)
