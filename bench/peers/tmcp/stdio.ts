import { StdioTransport } from '@tmcp/transport-stdio'
import { definition } from './definition.ts'

new StdioTransport(definition).listen()
