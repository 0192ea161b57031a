import { createServer } from 'node:http'
import {
  localhostHostValidation,
  localhostOriginValidation,
  type NodeIncomingMessageLike,
  toNodeHandler,
} from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { port } from '../../program/setting.ts'
import { createDefinition } from './definition.ts'

const handle = toNodeHandler(createMcpHandler(createDefinition))
const validHost = localhostHostValidation()
const validOrigin = localhostOriginValidation()

createServer((incoming, outgoing) => {
  if (!validHost(incoming, outgoing) || !validOrigin(incoming, outgoing)) return
  void handle(incoming as NodeIncomingMessageLike, outgoing)
}).listen(port, '127.0.0.1')
