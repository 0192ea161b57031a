import type * as library from '../../packages/mcp/src/transports/http/client/event-parser.ts'
import { serveParsing } from '../program/parse-rounds.ts'

// the parser is no part of what users import, so it is measured as it stands in the sources
const { EventParser } = (await import(process.env.EVENT_PARSER ?? '')) as typeof library

serveParsing((chunks) => {
  let events = 0
  const parser = new EventParser(() => {
    events += 1
  })
  for (const chunk of chunks) parser.push(chunk)
  return events
})
