import { defineCommand } from '../command/command.ts'
import { answerInbox } from '../host/answer-inbox.ts'
import { refuseWithoutPerson } from '../host/decided-here.ts'
import { openHost } from '../host/host-link.ts'
import { questionLines } from '../host/show.ts'

/** `trunkline inbox`: what waits for a person. */
export const inboxCommand = defineCommand({
  name: 'inbox',
  group: 'host',
  needs: { '': 'nothing', '?': 'terminal' },
  summary: 'Shows the questions that wait for you, and takes your decisions',
  usage: ['', '--watch'],
  details: [
    'In a terminal each question is shown in full and answered with one key: y allows the call once, s its tool for this session, p in this project until you revoke it, a always, n refuses it, e edits the arguments in $EDITOR, and Tab skips it for now. Each of these is for this tool and this client alone, unless you press t (all writing tools of this server) or c (all my clients) before: both say what they cover, and a second press takes them back. Tools that destroy ask every time, so they have no s, p, t and c. Enter does nothing, and keys pressed in the first 0.4 s are ignored.',
  ],
  options: {
    watch: { type: 'boolean', short: 'w', summary: 'Wait for further questions' },
    list: { type: 'boolean', short: 'l', summary: 'Only show them' },
  },
  json: '`{ questions: […] }`; scripts can read questions but not decide',
  examples: [
    { line: 'trunkline inbox', shows: 'the waiting questions, one after the other' },
    { line: 'trunkline inbox --json', shows: 'the same for scripts, which cannot decide' },
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
