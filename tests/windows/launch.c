// launch REPORT ACTION PATTERN PROGRAM ARGUMENT...
//
// Starts a program, does something to it as soon as a file of PATTERN is there, and writes a line to the file REPORT: "hit" or
// "missed", and the exit code. What is done:
//
//   run     nothing; there is no pattern
//   kill    the process is ended from outside
//   NAME    a file of this name is made, with the text "mine", which counts as a hit if nothing has the name yet
//   mute    the program has no standard output from the start; there is no pattern
#include <stdio.h>
#include <string.h>
#include <windows.h>

// This program goes on when the console has Ctrl-C.
static BOOL WINAPI stay(DWORD event) { return TRUE; }

int main(int argc, char **argv) {
  STARTUPINFOA start = {sizeof start};
  PROCESS_INFORMATION process;
  WIN32_FIND_DATAA found;
  DWORD code = 0;
  BOOL hit = FALSE;
  char line[8192] = "";
  if (argc < 5) return 2;
  for (int i = 4; i < argc; i++) {
    if (strlen(line) + strlen(argv[i]) + 4 > sizeof line) return 2;
    strcat(strcat(strcat(line, "\""), argv[i]), "\" ");
  }
  const char *action = argv[2];
  BOOL waits = strcmp(action, "run") && strcmp(action, "mute");
  if (!strcmp(action, "mute")) {
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
    start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  }
  SetConsoleCtrlHandler(stay, TRUE);
  if (!CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &process)) return 3;
  while (waits && !hit && WaitForSingleObject(process.hProcess, 0) != WAIT_OBJECT_0) {
    HANDLE search = FindFirstFileA(argv[3], &found);
    hit = search != INVALID_HANDLE_VALUE;
    if (hit) FindClose(search);
  }
  if (hit && !strcmp(action, "kill")) {
    TerminateProcess(process.hProcess, 77);
  } else if (hit) {
    DWORD len;
    HANDLE file = CreateFileA(action, GENERIC_WRITE, 7, NULL, CREATE_NEW, 0, NULL);
    hit = file != INVALID_HANDLE_VALUE && WriteFile(file, "mine", 4, &len, NULL) && CloseHandle(file);
  }
  WaitForSingleObject(process.hProcess, INFINITE);
  GetExitCodeProcess(process.hProcess, &code);
  FILE *report = fopen(argv[1], "w");
  if (!report) return 5;
  fprintf(report, "%s %08lx\n", hit ? "hit" : "missed", code);
  fclose(report);
  return 0;
}
