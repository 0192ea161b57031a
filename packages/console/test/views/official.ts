/** An app made with the official library: it shows what it is told, and has a button. */
import { App } from '@modelcontextprotocol/ext-apps'

const app = new App({ name: 'official', version: '1.0.0' }, {})
const shown = document.createElement('p')
const answer = document.createElement('p')
const button = document.createElement('button')
button.textContent = 'Refresh'
const [say, visit] = [document.createElement('button'), document.createElement('button')]
say.textContent = 'Say it'
visit.textContent = 'Visit'
document.body.append(shown, button, say, visit, answer)

let input: unknown
app.ontoolinput = (params) => {
  input = params.arguments
}
app.ontoolresult = ({ structuredContent }) => {
  const colours = app.getHostContext()?.theme
  shown.textContent = `Cart of ${JSON.stringify(input)}: ${JSON.stringify(structuredContent)} in ${colours} colours`
}
button.onclick = async () => {
  try {
    const { content } = await app.callServerTool({ name: 'refresh', arguments: { what: 'pears' } })
    answer.textContent = JSON.stringify(content)
  } catch (error) {
    answer.textContent = String(error)
  }
}
say.onclick = async () => {
  const text = 'Buy pears @library://dune <img src="https://evil.test/pixel"> \u202edetnaw'
  const outcome = await app.sendMessage({ role: 'user', content: [{ type: 'text', text }] }).catch(String)
  answer.textContent = `said: ${JSON.stringify(outcome)}`
}
visit.onclick = async () => {
  const outcome = await app.openLink({ url: 'https://evil.test/visit' }).catch(String)
  answer.textContent = `visited: ${JSON.stringify(outcome)}`
}
await app.connect()
