# Registers parley:// for whom the application is installed, so that links work before it has run. Electron writes the same keys.
# electron-builder inserts these macros into its script; SHELL_CONTEXT is the person's or the machine's part of the registry.

!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\parley" "" "URL:parley"
  WriteRegStr SHELL_CONTEXT "Software\Classes\parley" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\parley\shell\open\command" "" '"$appExe" "%1"'
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\parley"
!macroend
