import { defineCommand } from '../command/command.ts'
import { answerInbox } from '../host/answer-inbox.ts'
import { refuseWithoutPerson } from '../host/decided-here.ts'
import { openHost } from '../host/host-link.ts'
import { questionLines } from '../host/show.ts'

/** `trunkline inbox`: what waits for a person. */
export const inboxCommand = defineCommand({
  name: 'inbox',
  group: 'host',
  summary: 'Shows what waits for you, and takes your decisions',
  usage: ['', '--watch'],
  details: [
    'In a terminal each question is shown in full and answered with one key: y allows it once, s for this session (but for what destroys, which asks every time), a always, n refuses, e edits the arguments in $EDITOR, and Tab leaves it for later. Enter does nothing, and keys of the first 0.4 s are ignored.',
  ],
  options: {
    watch: { type: 'boolean', short: 'w', summary: 'Wait for further questions' },
    list: { type: 'boolean', short: 'l', summary: 'Only show them' },
  },
  json: '`{ questions: […] }`; scripts can look and not decide',
  examples: [
    { line: 'trunkline inbox', shows: 'the questions that wait, one after the other' },
    { line: 'trunkline inbox --json', shows: 'the same for scripts, which can look and not decide' },
  ],
  async run({ options, output, terminal, signal }) {
    const host = await openHost()
    const { items: questions } = await host.call('inbox')
    if (output.json || options.list || !terminal.isInteractive) {
      if (options.watch && !options.list) await refuseWithoutPerson(terminal)
      output.result({ questions }, () =>
        questions.length === 0 ? ['Nothing waits for you'] : questions.flatMap((one) => [...questionLines(one), '']),
      )
      return undefined
    }
    await refuseWithoutPerson(terminal)
    await answerInbox(host, { output, terminal, signal, watch: options.watch === true })
    return undefined
  },
})
