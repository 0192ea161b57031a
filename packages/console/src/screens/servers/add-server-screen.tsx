import { Halves } from '../../parts/halves.tsx'
import { Screen } from '../../shell/screen.tsx'
import { AddByForm } from './add-by-form.tsx'
import { AddByPaste } from './add-by-paste.tsx'
import { ImportServers } from './import-servers.tsx'

/** Adds a server: as text, which does nothing before it is accepted. */
export function AddServerScreen() {
  return (
    <Screen
      title="Add a server"
      back={{ to: '/servers', title: 'Servers' }}
      about="It is written into your configuration and stays text until you accept its exact command with a code from the terminal."
    >
      <Halves>
        <AddByForm />
        <AddByPaste />
      </Halves>
      <ImportServers />
    </Screen>
  )
}
