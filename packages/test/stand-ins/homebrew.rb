# A stand-in for Homebrew: evaluates a formula for a system and a processor. With the last two
# arguments, it also installs and tests the formula as `brew install` and `brew test` do, with a
# local archive instead of a download. An unknown word in the formula is an error, as in Homebrew.
# packages/test/homebrew runs this program.
#
# ruby homebrew.rb FORMULA macos|linux intel|arm [DIRECTORY-OF-ARCHIVES PREFIX]

require "digest"
require "fileutils"
require "pathname"
require "tmpdir"

SYSTEM, MACHINE = ARGV[1, 2].map(&:to_sym)

class Pathname
  # Moves files, as Homebrew does, so that installing a file twice is an error.
  def install(*sources)
    files = sources.flat_map { |it| it.is_a?(Hash) ? it.to_a : Array(it).map { |file| [file, File.basename(file)] } }
    raise "nothing to install into #{self}" if files.empty?

    files.each do |file, name|
      raise "the archive has no file #{file}" unless File.file?(file)

      mkpath
      FileUtils.mv file, join(name)
    end
  end
end

class Formula
  class << self
    attr_reader :test_block

    def fields
      @fields ||= {}
    end

    %i[desc homepage version license url sha256 depends_on].each do |name|
      define_method(name) do |value|
        raise "#{name} is there twice for #{SYSTEM} and #{MACHINE}" if fields.key?(name)

        fields[name] = value
      end
    end

    { macos: SYSTEM, linux: SYSTEM, intel: MACHINE, arm: MACHINE }.each do |name, this|
      define_method("on_#{name}") { |&block| class_eval(&block) if name == this }
    end

    def test(&block)
      @test_block = block
    end
  end

  attr_reader :prefix

  def initialize(prefix)
    @prefix = prefix
  end

  { bin: "bin", man1: "share/man/man1", bash_completion: "etc/bash_completion.d",
    fish_completion: "share/fish/vendor_completions.d", zsh_completion: "share/zsh/site-functions" }.each do |name, folder|
    define_method(name) { prefix/folder }
  end

  def system(*command)
    Kernel.system(*command.map(&:to_s), exception: true)
  end
end

load File.expand_path(ARGV[0])
formula = Object.const_get(File.basename(ARGV[0], ".rb").capitalize)
fields = formula.fields
abort "#{SYSTEM}: only #{fields[:depends_on]} is supported" if fields.key?(:depends_on) && fields[:depends_on] != SYSTEM
%i[desc homepage version license url sha256].each { |name| raise "no #{name} for #{SYSTEM} and #{MACHINE}" unless fields[name] }
# Checks the description by the rules of `brew audit`.
name = formula.name.downcase.chars.join("[ -]?")
raise "Homebrew wants another description: #{fields[:desc]}" if
  fields[:desc].length > 80 || fields[:desc] !~ /\A[A-Z0-9]/ || fields[:desc] =~ /\A(?:#{name}|an?|the)\b|[.\s]\z/i
raise "the address is not of version #{fields[:version]}" unless fields[:url].scan(fields[:version]).length == 2

puts fields[:url]
exit if ARGV.length == 3

archive = File.join(ARGV[3], File.basename(fields[:url]))
raise "#{archive} has another checksum" unless Digest::SHA256.file(archive).hexdigest == fields[:sha256]

Dir.mktmpdir do |dir|
  Kernel.system("tar", "xzf", archive, "-C", dir, exception: true)
  # If the archive has a single directory, Homebrew changes to this directory.
  inside = Dir.children(dir)
  Dir.chdir(inside.length == 1 ? File.join(dir, inside[0]) : dir) { formula.new(Pathname(ARGV[4])).install }
  Dir.chdir(dir) { formula.new(Pathname(ARGV[4])).instance_eval(&formula.test_block) }
end
