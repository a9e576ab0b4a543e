/** The number of the error and its name, as sources of a pattern. No language translates them. */
export const readOnlyNumbers = ['\\bEROFS\\b', '\\berrno[ =:]*30\\b', '\\bos error 30\\b'].join('|');

/**
 * The whole sentence of the C library for it, in its languages. A part of one, such as "read-only",
 * says other things as well.
 */
export const readOnlySentences = [
  ...[
    'read-only file ?system',
    'Файлова система само за четене',
    '(?:El s|S)istema de fitxers (?:és|de) només(?: de)? lectura',
  ],
  ...['Systém souborů je pouze pro čtení', 'Filsystem med kun læseadgang', 'Das Dateisystem ist nur lesbar'],
  ...[
    'Αναγνώσιμο-μόνο σύστημα αρχείων',
    'Nur-lega dosiersistemo',
    'Sistema de (?:ficheros|archivos) de s[oó]lo lectura',
  ],
  ...['Kirjoitussuojattu tiedostojärjestelmä', 'Tiedostojärjestelmä on kirjoitussuojattu'],
  ...['Système de fichiers accessible en lecture seul(?:e|ement)', 'Sistema de ficheiros de s[oó] lectura'],
  ...['Datotečni sustav je samo za čitanje', 'Írásvédett fájlrendszer', 'Csak olvasható (?:a )?fájlrendszer'],
  ...['Sistem berkas baca-saja', 'File ?system in sola lettura', '読み込み専用ファイルシステムです'],
  ...['읽기 ?전용 파일 ?시스템(?:입니다)?', 'Failų sistema tik skaitymui', 'Filsystem med kun lesetilgang'],
  ...['Filsystemet er skrivebeskyttet', 'Bestandssysteem is alleen-lezen', 'Alleen-lezen bestandssysteem'],
  ...['System plików (?:wyłącznie|tylko) do odczytu', 'Sistema de ficheiros s[oó] de leitura'],
  ...['Sistema de arquivos somente (?:para )?leitura', 'Файловая система доступна только для чтения'],
  ...[
    'Súborový systém dovoľuje len čítanie',
    'Systém súborov je len na čítanie',
    'Datotečni sistem je zgolj za branje',
  ],
  ...['Систем датотека само за читање', 'Skrivskyddat filsystem', 'Filsystemet är (?:skrivskyddat|endast läsbart)'],
  ...['Salt[- ]okunur dosya sistemi', 'Файлова система (?:тільки|доступна лише|лише) для (?:зчитування|читання)'],
  ...['Hệ thống tập tin chỉ cho đọc', '只读文件系统', '唯讀的?檔案系統'],
].join('|');
