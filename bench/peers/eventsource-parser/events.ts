import { createParser } from 'eventsource-parser'
import { serveParsing } from '../../program/parse-rounds.ts'

serveParsing((chunks) => {
  let events = 0
  const parser = createParser({
    onEvent: () => {
      events += 1
    },
  })
  const decoder = new TextDecoder()
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }))
  return events
})
