import { activity } from '../../host/activity.ts'
import { activityView, changeView } from '../../host/activity-view.ts'
import { callHost } from '../../host/call.ts'
import type { Question, ServerSummary } from '../../host/queries.ts'
import { shortWords } from '../../questions/question-words.ts'
import { chooseTheme } from '../theme.ts'
import { itemOf, type PaletteItem } from './item.ts'
import type { Known } from './places.ts'

type Open = (address: string) => void

/** Everything that can be done from anywhere. What is allowed is decided where its arguments are in view. */
export function actions({ questions, servers }: Known, open: Open): readonly PaletteItem[] {
  return [
    ...servers.flatMap((server) => serverActions(server, open)),
    ...questions.map(refusal),
    ...activityActions(open),
    itemOf('add server', 'Add a server', 'servers', () => open('/servers/add'), 'new paste import'),
    itemOf('new conversation', 'New conversation', 'chat', () => open('/chat')),
    itemOf('make rule', 'Make a rule', 'policy', () => open('/policy'), 'allow ask deny'),
    itemOf('undo rule', 'Undo the last rule', 'policy', () => callHost('undoRule')),
    itemOf('verify ledger', 'Verify the ledger', 'policy', () => open('/policy'), 'pins trust'),
    itemOf('theme light', 'Light colours', 'looks', () => chooseTheme('light'), 'theme'),
    itemOf('theme dark', 'Dark colours', 'looks', () => chooseTheme('dark'), 'theme'),
    itemOf('theme system', 'Colours as the system', 'looks', () => chooseTheme('system'), 'theme'),
  ]
}

/** Actions for a server in its current state. */
function serverActions(server: ServerSummary, open: Open): readonly PaletteItem[] {
  const { name, state, isAccepted, isRemote, needs, signInAt } = server
  const address = `/servers/${encodeURIComponent(name)}`
  if (needs !== undefined) return []
  if (!isAccepted) return [itemOf(`accept ${name}`, `Accept ${name}`, 'server', () => open(address), 'start')]
  const isRunning = state === 'ready' || state === 'starting'
  const start = isRunning ? 'Restart' : 'Start'
  const restart = () => callHost('restart', { server: name })
  return [
    itemOf(`start ${name}`, `${start} ${name}`, 'server', restart),
    ...(state === 'stopped'
      ? []
      : [itemOf(`stop ${name}`, `Stop ${name}`, 'server', () => callHost('stop', { server: name }))]),
    ...(signInAt === undefined && (state !== 'needs you' || !isRemote)
      ? []
      : [itemOf(`sign in ${name}`, `Sign in to ${name}`, 'server', () => signIn(name, open))]),
  ]
}

async function signIn(server: string, open: Open): Promise<void> {
  const { question } = await callHost('login', { server })
  if (question !== undefined) open(`/inbox/${question}`)
}

function refusal(question: Question): PaletteItem {
  const { id, server } = question
  const refuse = () => callHost('answer', { id, door: 'console', choice: 'refuse' })
  return itemOf(`refuse ${id}`, `Refuse: ${shortWords(question)}`, `question, ${server}`, refuse, 'decide deny')
}

function activityActions(open: Open): readonly PaletteItem[] {
  const { paused, isWaterfall } = activityView.get()
  const pause = () => changeView({ paused: paused ? undefined : { activity: activity.get(), at: Date.now() } })
  const waterfall = () => {
    changeView({ isWaterfall: !isWaterfall })
    open('/activity')
  }
  return [
    itemOf('pause', paused ? 'Go on with activity' : 'Pause activity', 'activity', pause),
    itemOf('waterfall', isWaterfall ? 'Show calls as a list' : 'Show the waterfall', 'activity', waterfall),
  ]
}
