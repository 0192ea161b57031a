import { win32 } from 'node:path'
import { hostCommandLine, marker, type ServiceContext, type ServicePlan } from './service-plan.ts'
import { xmlText } from './xml-text.ts'

const task = 'Trunkline'

/** A task of the Windows task scheduler that starts when the person logs on. */
export function windowsTaskPlan(context: ServiceContext): ServicePlan {
  const { home, environment } = context
  const [command = '', ...words] = hostCommandLine(context)
  const folder = environment.LOCALAPPDATA ?? win32.join(home, 'AppData', 'Local')
  const file = win32.join(folder, 'trunkline', 'service.xml')
  const text = [
    '<?xml version="1.0" encoding="UTF-16"?>',
    `<!-- ${marker} -->`,
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    '  <RegistrationInfo><Description>Trunkline: MCP servers, once for all clients</Description></RegistrationInfo>',
    '  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>',
    '  <Principals><Principal id="Author"><LogonType>InteractiveToken</LogonType></Principal></Principals>',
    '  <Settings>',
    '    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
    '    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
    '    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
    '    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
    '    <RestartOnFailure><Interval>PT1M</Interval><Count>10</Count></RestartOnFailure>',
    '  </Settings>',
    '  <Actions Context="Author">',
    '    <Exec>',
    `      <Command>${xmlText(command)}</Command>`,
    `      <Arguments>${xmlText(words.map(windowsWord).join(' '))}</Arguments>`,
    `      <WorkingDirectory>${xmlText(home)}</WorkingDirectory>`,
    '    </Exec>',
    '  </Actions>',
    '</Task>',
    '',
  ].join('\r\n')
  return {
    manager: 'the Windows task scheduler',
    file,
    text,
    encoding: 'utf16le',
    start: [
      ['schtasks', '/Create', '/F', '/TN', task, '/XML', file],
      ['schtasks', '/Run', '/TN', task],
    ],
    stop: [
      ['schtasks', '/End', '/TN', task],
      ['schtasks', '/Delete', '/F', '/TN', task],
    ],
    after: [],
    query: ['schtasks', '/Query', '/TN', task],
  }
}

/** A word as programs of Windows read their command line. */
function windowsWord(word: string): string {
  if (/^[\w@:\\/.=-]+$/.test(word)) return word
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}
