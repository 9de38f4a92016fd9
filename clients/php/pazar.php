<?php

/**
 * Pazar client for PHP 7.4 to 8.4. Require this file and use the classes of the namespace Pazar.
 *
 * Several plugins of a site may each contain a copy of the client, as a folder or as one file. Each copy registers its
 * version here. The first use of a class loads all classes of the newest copy, and every plugin uses that copy. Public
 * classes, methods and options, the globals below and src/all.php therefore stay compatible from 1.0 on.
 */

declare(strict_types=1);

$GLOBALS['pazar_php_copies']['1.0.0'] = __DIR__;

if (!isset($GLOBALS['pazar_php_loader'])) {
    $GLOBALS['pazar_php_loader'] = static function (string $class): void {
        if (strpos($class, 'Pazar\\') !== 0 || defined('Pazar\\VERSION')) {
            return;
        }
        if (function_exists('did_action') && did_action('after_setup_theme') === 0) {
            $problem = 'A class was used before the action after_setup_theme, when a newer copy may not be loaded yet.';
            _doing_it_wrong('Pazar', $problem . ' Use it in that action or later.', '1.0.0');
        }
        // The files of a plugin that was deleted during this request no longer exist.
        $files = array_map(static fn (string $copy): string => is_file($copy) ? $copy : "$copy/src/all.php", $GLOBALS['pazar_php_copies']);
        $files = array_filter($files, 'is_file');
        uksort($files, 'version_compare');
        define('Pazar\\VERSION', (string) array_key_last($files));
        require end($files);
    };
    spl_autoload_register($GLOBALS['pazar_php_loader']);
}
