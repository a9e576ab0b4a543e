import assert from 'node:assert/strict';
import { firstRefusedWrite, refusedWrite } from '../../src/base/refusedWrite';

describe('the words of a write that a sandbox refused', () => {
  /** What programs print, and the file that it names; null: none; undefined: the line is no denial by itself. */
  const lines: readonly (readonly [line: string, path: string | null | undefined])[] = [
    ["touch: cannot touch 'src/a b': Read-only file system", 'src/a b'],
    ['mkdir: cannot create directory ‘src’: Read-only file system', 'src'],
    ["mv: cannot move 'a' to 'src/a': Read-only file system", 'src/a'],
    ['sed: couldn’t open temporary file src/sedAb: Read-only file system', 'src/sedAb'],
    ["sed: couldn't open temporary file src/sedAb: Read-only file system", 'src/sedAb'],
    ['sh: 1: cannot create src/a: Read-only file system', 'src/a'],
    ['bash: line 1: src/a: Read-only file system', 'src/a'],
    ['tee: src/a: Read-only file system', 'src/a'],
    ['zsh:1: read-only file system: src/a', 'src/a'],
    ["fatal: Unable to create '/w/.git/index.lock': Read-only file system", '/w/.git/index.lock'],
    ['mkdir: Verzeichnis „/h/tool“ kann nicht angelegt werden: Das Dateisystem ist nur lesbar', '/h/tool'],
    ["cp: cannot create regular file 'src/a': Read-only file system", 'src/a'],
    // Of two files the one that was to be made, wherever it stands
    ["mv: cannot move '/w/a' to '/w/src/a': Read-only file system", '/w/src/a'],
    ['mv: Verschieben von „/w/a“ nach „/w/src/a“ nicht möglich: Das Dateisystem ist nur lesbar', '/w/src/a'],
    ["mv: cannot remove 'src/a': Read-only file system", 'src/a'],
    ["cp: cannot create hard link 'src/a' to 'lib/a': Read-only file system", 'src/a'],
    ["cp: cannot create symbolic link '/w/src/a' to '/w/lib/a': Read-only file system", '/w/src/a'],
    ["ln: failed to create hard link 'src/a' => 'lib/a': Read-only file system", 'src/a'],
    ["tar: src/a: Cannot hard link to 'lib/a': Read-only file system", 'src/a'],
    ['tar: src/a: Cannot create symlink to ‘../lib/a’: Read-only file system', 'src/a'],
    ['rsync: [receiver] symlink "/w/src/a" -> "../lib/a" failed: Read-only file system (30)', '/w/src/a'],
    ['rsync: [receiver] rename "/w/.a.Xy" -> "src/a" failed: Read-only file system (30)', 'src/a'],
    ['error: failed to copy `/w/a` to `/w/src/a`: Read-only file system (os error 30)', '/w/src/a'],
    ['error: failed to link or copy `a` to `src/a`: Read-only file system (os error 30)', 'src/a'],
    ['error: failed to copy file from /w/a to /w/src/a: Read-only file system (os error 30)', '/w/src/a'],
    ['rename /w/a -> /w/src/a: Read-only file system', '/w/src/a'],
    ['rename a -> dist: Read-only file system', 'dist'],
    ['rename /w/a /w/src/a: read-only file system', '/w/src/a'],
    ['open: link /w/a /w/src/a: read-only file system', '/w/src/a'],
    ['java.nio.file.FileSystemException: /w/a -> /w/src/a: Read-only file system', '/w/src/a'],
    ["w.rb:1:in 'File.rename': Read-only file system @ rb_file_s_rename - (/w/a, /w/src/a) (Errno::EROFS)", '/w/src/a'],
    // Python
    ["OSError: [Errno 30] Read-only file system: 'src/a'", 'src/a'],
    ["OSError: [Errno 30] Read-only file system: 'tmp' -> 'src/a'", 'src/a'],
    // Node: its message, the fields below it, an object, JSON
    ["Error: EROFS: read-only file system, open '/ws/src/a'", '/ws/src/a'],
    ["Error: EROFS: read-only file system, rename 'x' -> 'src/a'", 'src/a'],
    ['Error: EROFS: read-only file system', null],
    ["  code: 'EROFS',", undefined],
    ["  code: 'EROFS' }", undefined],
    ['  "code": "EROFS",', undefined],
    ["{ errno: -30, code: 'EROFS', syscall: 'open', path: 'src/a' }", 'src/a'],
    ['{"level":"error","errno":-30,"code":"EROFS","syscall":"open","path":"src/a"}', 'src/a'],
    ['{"level":"error","msg":"EROFS: read-only file system, open \'src/a\'"}', 'src/a'],
    ['{"level":"error","msg":"Read-only file system"}', null],
    ['npm error code EROFS', undefined],
    ['npm error errno EROFS', undefined],
    ["npm error rofs EROFS: read-only file system, open '/w/package-lock.json'", '/w/package-lock.json'],
    // Go, Rust, Java, Ruby, Perl, PHP
    ['open src/a: read-only file system', 'src/a'],
    ['Error: Read-only file system (os error 30)', null],
    ['Os { code: 30, kind: ReadOnlyFilesystem, message: "Read-only file system" }', null],
    ['error: failed to create `src/a`: Read-only file system (os error 30)', 'src/a'],
    ['java.io.FileNotFoundException: src/a (Read-only file system)', 'src/a'],
    ['java.nio.file.FileSystemException: src/a: Read-only file system', 'src/a'],
    ["w.rb:1:in `initialize': Read-only file system @ rb_sysopen - src/a (Errno::EROFS)", 'src/a'],
    ["w.rb:1:in 'File#initialize': Read-only file system @ rb_sysopen - src/a (Errno::EROFS)", 'src/a'],
    ["Can't open 'src/a': Read-only file system", 'src/a'],
    ['file_put_contents(src/a): Failed to open stream: Read-only file system in /w/a.php on line 3', 'src/a'],
    ['PHP Warning:  rename(/w/a,/w/src/a): Read-only file system in /w/x.php on line 3', '/w/src/a'],
    ['PHP Warning:  symlink(/w/a,/w/src/a): Read-only file system in /w/x.php on line 3', '/w/src/a'],
    ['PHP Warning:  link(/w/a,/w/src/a): Read-only file system in /w/x.php on line 3', '/w/src/a'],
    ['PHP Warning:  copy(/w/a,/w/src/a): Read-only file system in /w/x.php on line 3', '/w/src/a'],
    ['PHP Warning:  rename(/w/a b,/w/src/a): Read-only file system in /w/x.php on line 3', '/w/src/a'],
    ['rename(a,src/a): Read-only file system in x.php on line 3', 'src/a'],
    ['copy(src/a,b): Failed to open stream: Read-only file system in x.php on line 3', 'src/a,b'],
    ['file_put_contents(src/a,b): Failed to open stream: Read-only file system in x.php on line 3', 'src/a,b'],
    ['open: Read-only file system at w.pl line 3.', null],
    ['zsh:1: das Dateisystem ist nur lesbar: src/a', 'src/a'],
    ['java.io.FileNotFoundException: src/a (Das Dateisystem ist nur lesbar)', 'src/a'],
    ['Fehler: Das Dateisystem ist nur lesbar.', null],
    // Quotes of an error
    [`AssertionError: expected "EROFS: read-only file system, open '/etc/x'"`, undefined],
    ["✔ says EROFS: read-only file system, open '/etc/x' (1ms)", undefined],
    ["+ EROFS: read-only file system, open '/etc/x'", undefined],
    ["npm warn logfile could not be created: Error: EROFS: read-only file system, open '/etc/x'", '/etc/x'],
    // Words that mean something else
    ['La base de données est en lecture seule', undefined],
    ['Attention : la base est en lecture seule', undefined],
    ['服务运行在只读模式', undefined],
    ['提示: 只读', undefined],
    ['Schema ist nur lesbar geöffnet', undefined],
    ['Hinweis: Schema ist nur lesbar', undefined],
    ['Сервис доступен только для чтения', undefined],
    ['Documento de solo lectura', undefined],
    ['A read-only file system is mounted', undefined],
    ['skipped: read-only file system is not tested', undefined],
    ['Das Dateisystem ist nur lesbar eingehängt', undefined],
  ];

  /** The sentence of the C library for it, in all its languages. */
  const sentences = [
    ...['Read-only file system', 'Файлова система само за четене', 'El sistema de fitxers és només de lectura'],
    ...['Systém souborů je pouze pro čtení', 'Filsystem med kun læseadgang', 'Das Dateisystem ist nur lesbar'],
    ...['Αναγνώσιμο-μόνο σύστημα αρχείων', 'Nur-lega dosiersistemo', 'Sistema de ficheros de sólo lectura'],
    ...['Sistema de archivos de solo lectura', 'Kirjoitussuojattu tiedostojärjestelmä'],
    ...['Système de fichiers accessible en lecture seulement', 'Système de fichiers accessible en lecture seule'],
    ...['Sistema de ficheiros de só lectura', 'Datotečni sustav je samo za čitanje', 'Írásvédett fájlrendszer'],
    ...['Sistem berkas baca-saja', 'File system in sola lettura', '読み込み専用ファイルシステムです'],
    ...['읽기전용 파일 시스템', '읽기 전용 파일 시스템', 'Failų sistema tik skaitymui'],
    ...['Filsystem med kun lesetilgang', 'Bestandssysteem is alleen-lezen', 'System plików wyłącznie do odczytu'],
    ...['System plików tylko do odczytu', 'Sistema de ficheiros só de leitura'],
    ...['Sistema de arquivos somente para leitura', 'Файловая система доступна только для чтения'],
    ...['Súborový systém dovoľuje len čítanie', 'Datotečni sistem je zgolj za branje'],
    ...['Систем датотека само за читање', 'Skrivskyddat filsystem', 'Salt-okunur dosya sistemi'],
    ...['Файлова система тільки для зчитування', 'Hệ thống tập tin chỉ cho đọc', '只读文件系统', '唯讀的檔案系統'],
  ];

  for (const sentence of sentences)
    it(`are known in each language of the C library: ${sentence}`, () =>
      assert.deepEqual(refusedWrite(`touch: src/a: ${sentence}`, 'bubblewrap'), { path: 'src/a' }));

  it('mean with Seatbelt a line that ends with them, or one that names a file', () => {
    const found = (line: string): unknown => refusedWrite(line, 'seatbelt');
    assert.deepEqual(found('touch: src/a: Operation not permitted'), { path: 'src/a' });
    assert.deepEqual(found('PermissionError: [Errno 1] Operation not permitted: src/a'), { path: 'src/a' });
    assert.deepEqual(found('mv: rename a to src/a: Operation not permitted'), { path: 'src/a' });
    assert.equal(found('this operation not permitted for guests'), null);
  });

  for (const [line, path] of lines)
    it(`name ${path === undefined ? 'nothing by themselves' : (path ?? 'no file')}: ${line}`, () => {
      const found = refusedWrite(line, 'bubblewrap');
      assert.equal(found === null ? undefined : found.path, path);
    });

  it('name the file of a whole output also in a line around', () => {
    const fields = ['{', '  errno: -30,', "  code: 'EROFS',", "  syscall: 'open',", "  path: 'src/a'", '}'].join('\n');
    assert.deepEqual(firstRefusedWrite(fields, 'bubblewrap'), { path: 'src/a' });
    const rust = 'error: could not write to /w/target\n\nCaused by:\n  Read-only file system (os error 30)';
    assert.deepEqual(firstRefusedWrite(rust, 'bubblewrap'), { path: '/w/target' });
    const copy = 'error: failed to copy `/w/a` to `/w/src/a`\n\nCaused by:\n  Read-only file system (os error 30)';
    assert.deepEqual(firstRefusedWrite(copy, 'bubblewrap'), { path: '/w/src/a' });
    const code = 'fn main() -> std::io::Result<()>\n/w/target/x\nRead-only file system (os error 30)';
    assert.deepEqual(firstRefusedWrite(code, 'bubblewrap'), { path: '/w/target/x' });
    assert.equal(firstRefusedWrite('all is well', 'bubblewrap'), null);
  });
});
