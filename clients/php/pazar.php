<?php

/**
 * Pazar for PHP 7.4 to 8.4: require this file and use the classes of the namespace Pazar. It validates purchase codes with
 * a Pazar server and stores the signed responses, so that a product keeps working while the server cannot be reached.
 *
 * Several plugins of a site may each bring a copy, as this folder or as one file. Every copy registers its version here, and
 * the first use of a class loads all classes of the newest copy, which serves them all. So the names and the meaning of the
 * public classes, methods and options, of the globals and of src/all.php never change from 1.0 on.
 */

declare(strict_types=1);

$GLOBALS['pazar_php_copies']['0.13.0'] = __DIR__;

if (!isset($GLOBALS['pazar_php_loader'])) {
    $GLOBALS['pazar_php_loader'] = static function (string $class): void {
        if (strpos($class, 'Pazar\\') !== 0 || defined('Pazar\\VERSION')) {
            return;
        }
        if (function_exists('did_action') && did_action('after_setup_theme') === 0) {
            throw new LogicException('Pazar: use it from the action after_setup_theme on. Earlier, a plugin or the theme'
                . ' that brings a newer copy may not be loaded yet.');
        }
        // A plugin that was deleted in this request has no files any more.
        $files = array_map(static fn (string $copy): string => is_file($copy) ? $copy : "$copy/src/all.php", $GLOBALS['pazar_php_copies']);
        $files = array_filter($files, 'is_file');
        uksort($files, 'version_compare');
        define('Pazar\\VERSION', (string) array_key_last($files));
        require end($files);
    };
    spl_autoload_register($GLOBALS['pazar_php_loader']);
}
